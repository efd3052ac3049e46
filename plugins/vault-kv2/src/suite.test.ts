import { collectOpened, openTestClient, testCertificate, testKey } from '@agent-service/kernel/testing'
import { describeVaultConnector } from '@agent-service/sdk/testing'
import { openKv2Bench } from './test-support/kv2-bench.js'

const opened = collectOpened()
after(() => opened.close())

describeVaultConnector({
  name: 'KV version 2',
  create() {
    const http = openTestClient(opened, { names: { 'secure.test': ['127.0.0.1'] }, trusted: [testCertificate] })
    return openKv2Bench(http, { key: testKey, cert: testCertificate })
  },
  supports: { write: true, renew: true },
  faults: [
    'down',
    'failing',
    'silent',
    'untrusted',
    'sealed',
    'busy',
    'forbidding',
    'revoked',
    'expired',
    'damaged',
    'huge',
    'redirecting',
  ],
  retryAfterMs: 7_000,
  restores: true,
  renames: false,
  invalid: true,
  fixed: true,
  inward: true,
})
