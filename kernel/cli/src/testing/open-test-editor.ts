import 'reflect-metadata'

import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { createDurableFileSystem } from '@agent-service/kernel-core/disk'
import { type ConfigurationEditor, createConfigurationEditor, type EditorTools } from '@agent-service/kernel-settings/save'

/** A guarantee that a broken editor goes without, to see that it is missed. */
export type MissingGuarantee = 'lock' | 'rename'

/**
 * The editor of `data/config.yaml` in a folder, which knows the kernel's sections alone. The
 * environment is empty.
 */
export function openTestEditor(options: { readonly folder: string; readonly missing?: MissingGuarantee }): ConfigurationEditor {
  const { folder, missing } = options
  return createConfigurationEditor(
    { origin: { environment: {}, workingDirectory: folder, installedResources: folder }, discover: async () => [] },
    missing === undefined ? {} : brokenTools[missing],
  )
}

const files = createDurableFileSystem()

const brokenTools: Readonly<Record<MissingGuarantee, EditorTools>> = {
  lock: { withLock: (_path, _options, work) => work() },
  rename: {
    fileSystem: {
      ...files,
      // Writes into the file, in two halves, where it should be replaced in one step.
      async rename(from, to) {
        const text = (await files.readFile(from)) ?? ''
        const file = await open(to, 'w', 0o600)
        try {
          await file.write(text.slice(0, text.length / 2))
          await setTimeout(to.endsWith('.previous') ? 0 : 300)
          await file.write(text.slice(text.length / 2))
        } finally {
          await file.close()
        }
        await files.removeFile(from)
      },
    },
  },
}
