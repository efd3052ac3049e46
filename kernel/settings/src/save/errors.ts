import { formatProblem } from '@agent-service/kernel-core/config'
import { defineError, type Problem } from '@agent-service/sdk'

/** The file was changed after the settings were read. */
export const staleConfigError = defineError<{ readonly expected: string; readonly actual: string }>({
  code: 'stale_config',
  status: 412,
  title: 'Configuration changed in the meantime',
  message: ({ expected, actual }) =>
    `The configuration file has the revision ${actual}, but the change is based on ${expected}. Read the settings again and repeat the change.`,
})

/** The service would not start with the changed configuration. Nothing was written. */
export const configurationPatchInvalidError = defineError<{ readonly problems: readonly Problem[] }>({
  code: 'configuration_patch_invalid',
  status: 422,
  title: 'Configuration change invalid',
  message: ({ problems }) =>
    [`Nothing was saved. With this change the configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:`]
      .concat(problems.map((problem) => `  ${formatProblem(problem)}`))
      .join('\n'),
})

/** Other saves hold the file. */
export const configurationBusyError = defineError<{ readonly path: string; readonly waitedMs: number }>({
  code: 'configuration_busy',
  status: 503,
  title: 'Configuration busy',
  message: ({ path, waitedMs }) => `Another process has been saving ${path} for ${waitedMs} ms. Nothing was saved; try again.`,
})

/** The file or its folder is not writable. */
export const configurationNotWritableError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'configuration_not_writable',
  status: 409,
  title: 'Configuration not writable',
  message: ({ path, reason }) => `${path} cannot be replaced: ${reason}. The file was not changed.`,
})
