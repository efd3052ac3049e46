/**
 * Loaded into the service before everything else (`node --import`): its calendar runs `factor` times
 * as fast as the clock on the wall from `anchor` on, also over restarts. Waits keep their length.
 */
const { searchParams } = new URL(import.meta.url)
const anchor = Number(searchParams.get('anchor'))
const factor = Number(searchParams.get('factor'))
const realNow = Date.now.bind(Date)

Date.now = () => Math.floor(anchor + (realNow() - anchor) * factor)
