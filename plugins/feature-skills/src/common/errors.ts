import { defineError } from '@agent-service/sdk'

/** An archive or a list of files that is not taken. Nothing of it was kept. */
export const skillRefusedError = defineError<{ readonly reason: string }>({
  code: 'skill_refused',
  status: 422,
  title: 'Skill refused',
  message: ({ reason }) => `The skill is not taken: ${reason}. Nothing was changed.`,
})

/** SKILL.md, or another file of a skill, is not what it must be. */
export const skillInvalidError = defineError<{ readonly file: string; readonly line: number; readonly problem: string }>({
  code: 'skill_invalid',
  status: 422,
  title: 'Invalid skill',
  message: ({ file, line, problem }) => `${file}:${line}: ${problem}.`,
})

/**
 * A skill of this name is there already: in the place itself, or in an earlier `source`, where the new
 * one would be used in its stead by all agents that have it.
 */
export const skillExistsError = defineError<{ readonly name: string; readonly source?: string }>({
  code: 'skill_exists',
  status: 409,
  title: 'Skill exists',
  message: ({ name, source }) =>
    source === undefined
      ? `There is a skill “${name}” in this place already. Pass “replace” to replace it, or give the new one another name.`
      : `There is a ${source} skill “${name}”, and agents that have it would use the new one in its place. Pass “replace” if you want that, or give the new one another name.`,
})

/** So many skills are in a place that another one has no room. */
export const tooManySkillsError = defineError<{ readonly max: number }>({
  code: 'too_many_skills',
  status: 413,
  title: 'Too many skills',
  message: ({ max }) => `At most ${max} skills may be in one place. Remove one first.`,
})

/** Only what came from an address can be fetched again. */
export const skillNotFetchedError = defineError<{ readonly name: string }>({
  code: 'skill_not_fetched',
  status: 409,
  title: 'Skill has no address',
  message: ({ name }) => `“${name}” did not come from an address, so it cannot be fetched again. Install the new version with “replace”.`,
})

/** A file was changed since the client read it. */
export const skillFileChangedError = defineError<{ readonly path: string }>({
  code: 'precondition_failed',
  status: 412,
  title: 'Precondition failed',
  message: ({ path }) => `“${path}” is not what If-Match asks for. Read it again, then repeat the change with its new etag.`,
})

/** The archive behind an address could not be had: no connection, no answer in time, or another answer than an archive. */
export const skillFetchFailedError = defineError<{ readonly reason: string }>({
  code: 'skill_fetch_failed',
  status: 502,
  title: 'Skill not fetched',
  message: ({ reason }) => `The archive could not be fetched. ${reason}`,
})
