import { defineError } from '../core/errors.js'

/** A variable that may hold a secret was to be passed on by its name. */
export const environmentSecretError = defineError<{ readonly name: string }>({
  code: 'environment_secret',
  status: 500,
  title: 'Secret variable',
  message: ({ name }) =>
    `The variable “${name}” looks like a secret and is not passed on from the service's own environment. Set its value for the process instead.`,
})

/** The environment of a child: of the service's own only the variables listed here. */
export interface ChildEnvironment {
  /**
   * Names of variables that are passed on if they are set. Names that look like secrets are
   * refused. Default: {@link basicVariables}.
   */
  readonly pass?: readonly string[]
  /** Variables with their values; they win over those that are passed on. Default: none. */
  readonly set?: Readonly<Record<string, string>>
}

/**
 * What programs need to find others, to write text and to know the time. Names no user's files and
 * holds no secret.
 */
export const basicVariables: readonly string[] = Object.freeze(['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TERM'])

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|PRIVATE|COOKIE|SESSION/i

/** The environment of a child. @throws {@link environmentSecretError}. */
export function environmentOf({ pass = basicVariables, set = {} }: ChildEnvironment = {}): Readonly<Record<string, string>> {
  const passed = pass.flatMap((name) => {
    if (secretName.test(name)) throw environmentSecretError.create({ name })
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), ...set }
}
