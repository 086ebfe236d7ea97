"""Drawings that questions are asked on: a module for each kind, for pages and readers without a kernel."""
