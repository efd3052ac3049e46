import type { PluginContext } from '@agent-service/sdk'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { tools } from '@agent-service/sdk/contracts/tool'
import { createSandboxTools } from '../tools/create-tools.js'
import type { SandboxParts } from './create-sandbox-parts.js'
import type { UsedServices } from './use-services.js'

/** Gives agents the tools that run programs. */
export function contributeTools(
  context: Pick<PluginContext, 'contribute'>,
  { files, clock, credentials, settings }: Pick<UsedServices, 'files' | 'clock' | 'credentials' | 'settings'>,
  { sandbox }: Pick<SandboxParts, 'sandbox'>,
): void {
  const made = createSandboxTools({
    ...{ sandbox, files, clock, packageMinAgeDays: settings.package_min_age_days },
    ...(credentials && { credentials }),
  })
  for (const tool of made.tools) context.contribute(tools, tool)
  context.contribute(chatParts, made.chatPart)
}
