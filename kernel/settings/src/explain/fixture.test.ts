import {
  absentConfigurationFile,
  type DiscoveredManifest,
  type Examination,
  examineConfiguration,
  parseConfigurationFile,
} from '@agent-service/kernel-core/config'
import { modelPlugins, plugin } from '@agent-service/kernel-core/config/testing'
import { Type } from '@agent-service/sdk'

/**
 * One plugin that is only declared, with a secret, a field that is gone and one whose default is
 * told in words.
 */
const declared = plugin({
  id: 'feature-calls',
  stage: 'declared',
  sections: {
    calls: Type.Object({
      token: Type.Optional(Type.String({ 'x-secret': true, description: 'The token.' })),
      old_url: Type.Optional(Type.Unknown({ 'x-removed': 'Set server.external_url.' })),
      zone: Type.Optional(Type.String({ 'x-default-text': 'that of the system', description: 'The zone.' })),
    }),
  },
})

/** One that adds a variant which nothing acts on yet. */
const later = plugin({
  id: 'provider-later',
  extends: [
    {
      section: 'models',
      place: 'settings',
      variant: 'later',
      schema: Type.Object({ depth: Type.Optional(Type.Integer()) }, { 'x-no-effect': 'It comes later.' }),
    },
  ],
})

export const plugins: readonly DiscoveredManifest[] = [...modelPlugins, declared, later]

/** Examines a text without a file on the disk. */
export async function examine(
  yaml?: string,
  environment: Readonly<Record<string, string>> = {},
  disabled: readonly string[] = [],
): Promise<Examination> {
  const path = '/srv/config.yaml'
  return examineConfiguration({
    file: yaml === undefined ? absentConfigurationFile(path, { mustExist: false }) : await parseConfigurationFile(path, Buffer.from(yaml)),
    environment,
    bases: { workingDirectory: '/srv', serverDataDir: '/srv/data', installedResources: '/nowhere/resources' },
    plugins,
    disabled,
  })
}
