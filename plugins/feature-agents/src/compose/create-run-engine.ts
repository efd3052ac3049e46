import { v7 as uuidv7 } from 'uuid'
import { resultRoom } from '../context/budget.js'
import { type Compactor, createCompactor } from '../context/compactor.js'
import { createKeptResults, type KeptResults } from '../context/kept-results.js'
import { createSummaries } from '../context/summaries.js'
import { createSummaryWriter, type SummaryWriter } from '../context/write-summary.js'
import { createRunHooks, type RunHooks } from '../points/hooks/run-hooks.js'
import { createPromptSections } from '../points/sections/prompt-sections.js'
import { createApprovalRequests, createIsAnswered } from '../runs/approvals/approval-requests.js'
import { createToolAccess } from '../runs/approvals/create-tool-access.js'
import type { ToolAccess } from '../runs/approvals/tool-access.js'
import { createRunClaims } from '../runs/engine/claim-run.js'
import { makeTitles, reportEndToHooks, waitForTools } from '../runs/engine/driver-wrappers.js'
import { createRunDriver, type RunDriver } from '../runs/engine/run-driver.js'
import { createRunGates, type RunGates } from '../runs/engine/run-gates.js'
import { createRunLeases, type RunLeases } from '../runs/engine/run-leases.js'
import { createRunManager, type RunManager } from '../runs/engine/run-manager.js'
import { measureOpenRuns, measureRuns } from '../runs/engine/run-metrics.js'
import type { RunLimits } from '../runs/engine/run-slots.js'
import { createRunLog, type RunLog } from '../runs/log/run-log.js'
import { createDelegatedFiles } from '../runs/made-files/delegated-files.js'
import { createMadeFiles } from '../runs/made-files/made-files.js'
import { createModelPrompt, type ModelPrompt } from '../runs/prompt/model-prompt.js'
import { createRunWatchers, type RunWatchers } from '../runs/streaming/run-watchers.js'
import { createToolPresence, type ToolPresence } from '../runs/tools/tool-presence.js'
import { createToolRunner } from '../runs/tools/tool-runner.js'
import { createToolTurn } from '../runs/tools/tool-turn.js'
import { createCompactionTurn } from '../runs/turns/compaction-turn.js'
import { createInputTurn } from '../runs/turns/input-turn.js'
import { createModelTurn, type ModelTurn } from '../runs/turns/model-turn.js'
import { createSpaceSections } from '../spaces/space-sections.js'
import { createTitles, type Titles } from '../titles/create-titles.js'
import { createTitleWriter } from '../titles/write-title.js'
import { traceDriver, traceToolRunner } from '../traces/trace-runs.js'
import type { AgentParts } from './create-agent-parts.js'
import type { UsedServices } from './use-services.js'

/** How many runs this process allows. */
const runLimits: RunLimits = { maxConcurrent: 1_000, maxConcurrentPerUser: 32, maxOpenPerUser: 128 }
/** How long runs wait after the start for the tools of their agents, in milliseconds. */
const toolPresenceTimeoutMs = 10_000

/** The parts that drive runs, as far as others need them. */
export interface RunEngine {
  readonly runs: RunManager
  readonly gates: RunGates
  readonly leases: RunLeases
  readonly log: RunLog
  readonly watchers: RunWatchers
  readonly modelTurn: ModelTurn
  readonly compactor: Compactor
  readonly summaryWriter: SummaryWriter
  readonly results: KeptResults
  readonly presence: ToolPresence
  readonly hooks: RunHooks
  readonly titles: Titles
  readonly access: ToolAccess
}

/** The parts that every kind of turn needs. */
interface TurnParts extends Pick<RunEngine, 'compactor' | 'results' | 'modelTurn' | 'hooks'>, Pick<AgentParts, 'agentTools'> {
  readonly log: RunLog
  readonly prompt: ModelPrompt
  readonly access: ToolAccess
}

/** The engine at rest: it drives the runs that it is given, and resumes none by itself. */
export function createRunEngine(
  services: UsedServices,
  { prompts, agentTools, heavyWork }: Pick<AgentParts, 'prompts' | 'agentTools' | 'heavyWork'>,
): RunEngine {
  const { database, events, clock, contributions, inference, resources, accounts, policies, telemetry, metrics, restarts, foreignSchemas } =
    services
  const logger = services.log
  const watchers = createRunWatchers()
  const log = createRunLog({ database, events, clock, watchers })
  const results = createKeptResults({ database })
  const hooks = createRunHooks({ contributions, log: logger })
  const access = createToolAccess({ policies, agentTools, hooks, database, clock, log: logger })
  const leases = createRunLeases({ database, clock, logger, driverId: uuidv7() })
  const summaries = createSummaries({ database })
  const summaryWriter = createSummaryWriter({ inference, resources })
  const compactor = createCompactor({ database, inference, summaries, writer: summaryWriter })
  const presence = createToolPresence({ contributions, clock, withinMs: toolPresenceTimeoutMs, isThere: agentTools.isThere })
  const sections = createPromptSections({ contributions, log: logger, ofSpaces: createSpaceSections({ database }) })
  const prompt = createModelPrompt({ database, inference, agentTools, access, summaries, prompts, presence, sections })
  const deltas = watchers.through(events)
  const modelTurn = createModelTurn({
    ...{ database, events: deltas, accounts, inference, prompt, log, logger, watchers, hooks, foreignSchemas },
  })
  const titles = createTitles({
    ...{ database, events, clock, accounts, leases, log: logger, limit: heavyWork.titles },
    writer: createTitleWriter({ database, inference, resources }),
  })
  const driver = reportEndToHooks(createDriver(services, { log, prompt, access, modelTurn, compactor, results, agentTools, hooks }), hooks)
  const gates = createRunGates({ started: contributions.settled(), logger })
  const runs = createRunManager({
    database,
    gates,
    events,
    clock,
    claims: createRunClaims({ database, accounts, clock, log, leases, inference }),
    isAnswered: createIsAnswered({ database, clock }),
    policies,
    driver: makeTitles(
      measureRuns(waitForTools(telemetry ? traceDriver(driver, telemetry) : driver, presence), { metrics, clock }),
      titles,
    ),
    logger,
    limits: runLimits,
  })
  measureOpenRuns(metrics, runs.counts)
  restarts.tell({ resumes: () => runs.counts().driven })
  return { runs, gates, leases, log, watchers, modelTurn, compactor, summaryWriter, results, presence, hooks, titles, access }
}

function createDriver(services: UsedServices, parts: TurnParts): RunDriver {
  const { database, events, clock, inference, accounts, telemetry, files, restarts, log: logger } = services
  const { log, prompt, access, modelTurn, compactor, results, agentTools, hooks } = parts
  const runner = createToolRunner({
    ...{ agentTools, hooks, log: logger, results },
    madeFiles: createMadeFiles({ files, log: logger }),
    delegatedFiles: createDelegatedFiles({ database }),
  })
  return createRunDriver({
    accounts,
    log,
    modelTurn,
    toolTurn: createToolTurn({
      database,
      events,
      accounts,
      log,
      runner: telemetry ? traceToolRunner(runner, telemetry) : runner,
      access,
      agentTools,
      hooks,
      restarts,
      person: createApprovalRequests({ database, clock, log }),
      resultRoom: (modelGroup) => resultRoom(inference, modelGroup),
    }),
    compactionTurn: createCompactionTurn({ database, compactor, prompt, log, logger }),
    inputTurn: createInputTurn({ database, accounts, log }),
    limits: { maxToolTurns: inference.limits.max_tool_turns },
    logger,
  })
}
