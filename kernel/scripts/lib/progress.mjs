/**
 * Prints one line for each stage, with its time. On a terminal the line is updated while the stage
 * runs; elsewhere a plain line is printed every ten seconds, so that a slow stage does not look
 * like a stopped one.
 */
export function createProgress({ stream = process.stderr, heartbeatMs = 10_000 } = {}) {
  const live = stream.isTTY === true && process.env.TERM !== 'dumb'
  return {
    /**
     * Runs `work` and returns its result; `work` gets a function that changes the text shown while
     * it runs.
     */
    async stage(title, work) {
      const started = Date.now()
      let detail = ''
      const elapsed = () => formatDuration(Date.now() - started)
      const draw = () => {
        if (live)
          stream.write(`\r\x1b[2K… ${title}${detail === '' ? '' : `: ${detail}`} (${elapsed()})`.slice(0, (stream.columns || 80) + 5))
        else stream.write(`… ${title}${detail === '' ? '' : `: ${detail}`}, ${elapsed()} so far\n`)
      }
      if (live) draw()
      const timer = setInterval(draw, live ? 200 : heartbeatMs)
      const finish = (mark, note) => {
        clearInterval(timer)
        if (live) stream.write('\r\x1b[2K')
        stream.write(`${mark} ${title}${note} (${elapsed()})\n`)
      }
      try {
        const result = await work((text) => {
          detail = text
        })
        finish('✓', '')
        return result
      } catch (error) {
        finish('✗', ' failed')
        throw error
      }
    },
  }
}

/** `850 ms`, `4.2 s`, `2 min 5 s`. */
export function formatDuration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}
