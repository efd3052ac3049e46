import { backupSteps } from './backup-steps.js'
import { channelSteps } from './channel-steps.js'
import { configurationSteps } from './configuration-steps.js'
import { credentialSteps } from './credential-steps.js'
import { featureSteps } from './feature-steps.js'
import { pluginSteps } from './plugin-steps.js'
import { policySteps } from './policy-steps.js'
import { promptSteps } from './prompt-steps.js'
import { providerSteps } from './provider-steps.js'
import { serviceSteps } from './service-steps.js'
import { skillSteps } from './skill-steps.js'
import type { Step } from './step.js'
import { userSteps } from './user-steps.js'

export type { Step, World } from './step.js'

/** Every administration operation, in an order in which each can be called. */
export const administration: Readonly<Record<string, Step>> = {
  ...configurationSteps,
  ...backupSteps,
  ...userSteps,
  ...policySteps,
  ...credentialSteps,
  ...providerSteps,
  ...featureSteps,
  ...channelSteps,
  ...skillSteps,
  ...promptSteps,
  ...pluginSteps,
  ...serviceSteps,
}
