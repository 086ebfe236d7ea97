// The projector's page: the number that the teacher shows.
