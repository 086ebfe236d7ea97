"""Filling blanks: exercises, marking, named mistakes, fresh numbers. All of it reads the record alone."""
