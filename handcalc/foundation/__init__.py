"""The foundation of every room: errors of one sentence, whole files, extras, progress, views by name."""
