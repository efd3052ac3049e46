import type { PluginContext } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
import type { Runs } from '@agent-service/sdk/services/runs'
import { createAskUserTool } from '../tools/ask-user.js'
import { createDelegateTool } from '../tools/delegate.js'
import { createGetTimeTool } from '../tools/get-time.js'
import { createReadResultTool } from '../tools/read-result.js'
import { createUpdateProfileTool } from '../tools/update-profile.js'
import type { RunEngine } from './create-run-engine.js'
import type { UsedServices } from './use-services.js'

/** The tools that agents have without any other plugin. */
export function contributeTools(
  context: PluginContext,
  { database, clock, accounts, policies, log: logger }: UsedServices,
  { results, service }: Pick<RunEngine, 'results'> & { readonly service: Runs },
): void {
  context.contribute(tools, createDelegateTool({ database, runs: service, logger }))
  context.contribute(tools, createGetTimeTool(clock))
  context.contribute(tools, createReadResultTool(results))
  context.contribute(tools, createAskUserTool())
  context.contribute(tools, createUpdateProfileTool({ accounts, policies }))
}
