import type { CampaignOptions } from './index.js'

const runsOfFullForm = 10_000

/**
 * Random interleavings of refreshes, on the same model as the kernel's own test of them. It throws
 * at the first session with two live tokens.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<{ readonly runs: number }> {
  print(`SEED=${seed}`)
  const model = (await import(new URL('../../../kernel/accounts/dist/testing/refresh-model.js', import.meta.url).href)) as {
    readonly checkRefreshInterleavings: (options: { readonly runs: number; readonly seed: number }) => Promise<void>
  }
  const runs = full ? runsOfFullForm : 100
  await model.checkRefreshInterleavings({ runs, seed })
  print(`${runs} interleavings: never two live tokens`)
  return { runs }
}
