/** How a campaign is run: in full by `npm run soak`, in a short form by a test. */
export interface CampaignOptions {
  readonly seed: number
  /** Time that may be spent. */
  readonly seconds: number
  readonly full: boolean
  readonly print: (line: string) => void
}
