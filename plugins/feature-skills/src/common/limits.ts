const mebibyte = 1_048_576

/** What one skill, one archive and one place may take. Everything beyond is refused as a whole. */
export const limits = {
  /** Of an archive as it comes. */
  maxArchiveBytes: 8 * mebibyte,
  /** Of all files of a skill. */
  maxSkillBytes: 16 * mebibyte,
  /** Of one file of a skill. */
  maxFileBytes: 4 * mebibyte,
  /** Of SKILL.md. */
  maxDocumentBytes: 262_144,
  maxFiles: 500,
  /** Files and folders of an archive. */
  maxEntries: 2_000,
  maxPathLength: 200,
  maxNameBytes: 120,
  maxDepth: 8,
  /** How many bytes may come out of one byte of an archive, past the first mebibyte. */
  maxRatio: 200,
  freeBytes: mebibyte,
  /** Skills of one place: bundled, shared, of a person, of an agent. */
  maxSkills: 200,
} as const

/** The file that every skill has. */
export const skillFileName = 'SKILL.md'

/** Whether a name is that of the file, in any case. */
export const isSkillFile = (name: string): boolean => name.toLowerCase() === skillFileName.toLowerCase()
