import { definePlugin, Type } from '@agent-service/sdk'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { clockService } from '@agent-service/sdk/services/clock'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'
import { runsService } from '@agent-service/sdk/services/runs'
import { createChatPart, createPruning, createUserData } from './kept-data.js'
import { createNotebookChanges, createNotebookTools } from './notebook-tools.js'
import { createJournalSection } from './prompt-section.js'
import { createReflect, createReflectionSubscription } from './reflections.js'
import { createRoutes } from './routes.js'
import { entries, notebooks, openJournal } from './store.js'

/** A journal that people and their agents write. Shows a whole feature of a third party. */
export default definePlugin({
  manifest: {
    id: 'feature-journal',
    apiVersion: 1,
    description: 'A journal that people and their agents write.',
    contributes: ['http.route', 'agent.prompt-section', 'tool.source', 'chat.part', 'user.data', 'scheduler.job'],
    requires: ['runs'],
    config: Type.Object({ keep_days: Type.Integer({ default: 3_650, minimum: 1, maximum: 36_500 }) }),
    events: {
      'feature-journal.written': {
        description: 'An entry was added to the journal.',
        schema: Type.Object({ entry_id: Type.String(), chat_id: Type.Union([Type.String(), Type.Null()]) }, { additionalProperties: true }),
      },
    },
  },
  collections: [entries, notebooks],
  async setup(context) {
    const clock = context.use(clockService)
    const events = context.use(eventsService)
    const runs = context.use(runsService)
    const journal = openJournal(context.use(databaseService), events)
    const changes = createNotebookChanges()

    for (const route of createRoutes(journal, clock, changes, createReflect(runs))) context.contribute(httpRoutes, route)
    context.contribute(agentPromptSections, createJournalSection(journal))
    context.contribute(toolSources, createNotebookTools(journal, clock, changes))
    context.contribute(chatParts, createChatPart(journal))
    context.contribute(userData, createUserData(journal))
    context.contribute(schedulerJobs, createPruning(journal, clock, context.config.keep_days))
    await events.subscribe(createReflectionSubscription(runs, journal, context.log))
  },
})
