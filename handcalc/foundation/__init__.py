"""What every room stands on: errors of one sentence, whole files, extras, progress, views by name."""
