/** A file of a skill. */
export interface SkillFile {
  /** Below the folder of the skill, with `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}
