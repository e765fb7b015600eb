/** A request for each operation, all of which the sample community can answer. */
export const READS: readonly string[] = [
  '/public/share/community?limit=2',
  '/public/share/tags',
  '/public/share/community/landing',
  '/public/share/user/ben',
  '/public/share/user/ben/followers',
  '/public/share/user/ben/following',
  '/public/share/app/ben/Garden.Maze',
]
