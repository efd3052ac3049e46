import { definePlugin, type Plugin, type PluginContext } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { consolePanels } from '@agent-service/sdk/contracts/console-panel'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { type Agents, agentsService } from '@agent-service/sdk/services/agents'
import { auditService } from '@agent-service/sdk/services/audit'
import { cacheFilesService } from '@agent-service/sdk/services/cache-files'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { deploymentService } from '@agent-service/sdk/services/deployment'
import { eventsService } from '@agent-service/sdk/services/events'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { metricsService } from '@agent-service/sdk/services/metrics'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { skillsService } from '@agent-service/sdk/services/skills'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createDeletionSubscription } from './agents/follow-deletions.js'
import { createReadSkillTool } from './agents/read-skill-tool.js'
import { createSkillFolders } from './agents/skill-folders.js'
import { createSkillMetrics } from './agents/skill-metrics.js'
import { createSkillSection } from './agents/skill-section.js'
import { createSkillCatalogue } from './catalogue/catalogue.js'
import { createSkillChanges } from './changes/skill-changes.js'
import { panels } from './console-panels.js'
import { createSkillCheck } from './doctor.js'
import { createArchiveCache } from './downloads/archive-cache.js'
import { createFetchArchive } from './downloads/fetch-archive.js'
import { eventTypes } from './event-types.js'
import { skillsSubsystem } from './folders/user-skill-folder.js'
import { type ChangeRouteParts, createChangeRoutes, ownSkills, sharedSkills } from './routes/change-routes.js'
import { createReadRoutes } from './routes/read-routes.js'
import { createSkillUserData } from './user-data.js'

// Each holds an archive and its files in memory, 24 MiB at most.
const installing = { maxPerHolder: 1, maxTotal: 2, waiting: { maxPerHolder: 4, maxTotal: 100, maxMs: 20_000 } }

/** Skills: folders with instructions, scripts and material that agents read when a task needs them. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-skills',
    apiVersion: 1,
    description: 'Skills of agents: folders with instructions, scripts and material, bundled, shared, of a person and of an agent.',
    contributes: ['agent.prompt-section', 'console.panel', 'doctor.check', 'http.route', 'scheduler.job', 'tool', 'user.data'],
    provides: ['skills'],
    requires: ['agents'],
    routes: ['/api/skills', '/api/admin/skills'],
    tags: { skills: 'Skills of agents: folders with SKILL.md, where they come from, their files, installing and editing them.' },
    events: eventTypes,
    storage: { subsystems: [skillsSubsystem] },
    permissions: [
      { kind: 'files', targets: ['storage.skills_dir', 'users/*/skills'], reason: 'Keeps the skills that people install and write.' },
      { kind: 'network', targets: ['*'], reason: 'Fetches archives of skills from public https addresses that people name.' },
    ],
  },
  setup(context) {
    for (const panel of panels) context.contribute(consolePanels, panel)
    const [deployment, clock] = [context.use(deploymentService), context.use(clockService)]
    context.contribute(doctorChecks, createSkillCheck({ deployment, clock }))
    // `agent-service doctor` reads the skills without a database.
    if (!context.use(databaseService, { optional: true })) return void context.provide(skillsService, { folders: async () => [] })
    const { parts, catalogue, agents } = open(context)
    for (const route of [...createReadRoutes(parts), ...createChangeRoutes(ownSkills, parts), ...createChangeRoutes(sharedSkills, parts)])
      context.contribute(httpRoutes, route)
    context.contribute(agentPromptSections, createSkillSection(catalogue))
    context.provide(skillsService, createSkillFolders({ catalogue, agents }))
  },
})
export default plugin

function open(context: PluginContext): {
  readonly parts: ChangeRouteParts
  readonly catalogue: ChangeRouteParts['catalogue']
  readonly agents: Agents
} {
  const files = context.use(userFilesService)
  const accounts = context.use(accountsService)
  const agents = context.use(agentsService)
  const events = context.use(eventsService)
  const metrics = createSkillMetrics(context.use(metricsService))
  const clock = context.use(clockService)
  const catalogue = createSkillCatalogue({
    ...{ files, accounts, deployment: context.use(deploymentService), clock, log: context.log },
  })
  const cache = createArchiveCache({ files: context.use(cacheFilesService), clock, log: context.log })
  context.contribute(schedulerJobs, {
    ...{ specVersion: 1, id: 'skills.clean-downloads', title: 'Remove fetched archives of skills that are no longer used' },
    everySeconds: 24 * 3_600,
    run: () => cache.clean(),
  })
  const changes = createSkillChanges({
    ...{ catalogue, agents, events, metrics, database: context.use(databaseService), audit: context.use(auditService) },
    fetchArchive: createFetchArchive({ client: context.use(httpClientService), cache }),
  })
  const installs = context.use(quotasService).limit({ name: 'skill-installs', counts: 'installations of skills', ...installing })
  context.contribute(tools, createReadSkillTool({ catalogue, agents, metrics }))
  context.contribute(userData, createSkillUserData({ files, accounts, catalogue }))
  events.subscribe(createDeletionSubscription({ files, accounts, agents }))
  return { parts: { catalogue, changes, installs }, catalogue, agents }
}
