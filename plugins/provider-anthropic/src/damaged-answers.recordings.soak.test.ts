import { damagesOfRun, describeDamagedAnswers, seedOfRun } from '@agent-service/sdk/testing'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { messagesRecordings, openProviderRecordings } from './test-support/recordings.js'

describeDamagedAnswers({
  name: 'anthropic-messages',
  create: createTestAdapter,
  recordings: messagesRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl) => messagesRequest(baseUrl),
  seed: seedOfRun(process.env['SEED']),
  damages: damagesOfRun(process.env['DAMAGES']),
})
