import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { createProcessMasks } from '../credentials/process-masks.js'
import { createInstallPackagesTool } from '../packages/install-packages.js'
import { nodeLayout } from '../packages/node-layout.js'
import { createPackageEnvironments } from '../packages/package-environments.js'
import { pythonLayout } from '../packages/python-layout.js'
import { type ChatProcesses, createChatProcesses } from './processes/chat-processes.js'
import { createListProcessesTool } from './processes/list-processes.js'
import { createReadProcessTool } from './processes/read-process.js'
import { createStopProcessTool } from './processes/stop-process.js'
import { createWriteProcessTool } from './processes/write-process.js'
import { createNodeTool } from './programs/node-tool.js'
import { createPythonTool } from './programs/python-tool.js'
import { createShellTool } from './programs/shell-tool.js'

/** What the tools of the sandbox work with. */
export interface SandboxToolDependencies {
  readonly sandbox: Sandbox
  readonly files: Pick<UserFiles, 'folder'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Default: agents have no credentials. */
  readonly credentials?: Pick<AgentCredentials, 'granted' | 'open' | 'mask'>
  /** How old a release of a package has to be to be installed, in days. */
  readonly packageMinAgeDays: number
  /** The program of the machine. Default `python3`. */
  readonly python?: string
  /** The program, absolute. Default: the one that runs the service. */
  readonly node?: string
}

const installTimeoutMs = 30 * 60_000
const earlyEndMs = 1_000

/** The tools by which agents run programs, and what ends with a chat. */
export function createSandboxTools(dependencies: SandboxToolDependencies): {
  readonly tools: readonly Tool[]
  readonly chatPart: ChatProcesses['part']
} {
  const { sandbox, files, clock, credentials, packageMinAgeDays, python = 'python3', node = process.execPath } = dependencies
  const processes = createChatProcesses()
  const masks = createProcessMasks(credentials)
  const programs = { sandbox, clock, files, credentials, masks, started: processes.started, earlyEndMs }
  const packages = createPackageEnvironments({
    ...{ sandbox, files, timeoutMs: installTimeoutMs },
    layouts: { python: pythonLayout(python, packageMinAgeDays), node: nodeLayout(node, packageMinAgeDays) },
  })
  return {
    tools: [
      createShellTool({ ...programs, packages }),
      createPythonTool({ ...programs, packages, python }),
      createNodeTool({ ...programs, packages, node }),
      createInstallPackagesTool({ packages, timeoutMs: installTimeoutMs + 60_000 }),
      createListProcessesTool({ sandbox, clock }),
      createReadProcessTool({ sandbox, clock, masks }),
      createWriteProcessTool({ sandbox, clock, masks }),
      createStopProcessTool({ sandbox, clock }),
    ],
    chatPart: processes.part,
  }
}
