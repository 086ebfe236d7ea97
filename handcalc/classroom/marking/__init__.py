"""Marking what a class hands in: every file a job of its own, in processes or on a cluster, safely."""
