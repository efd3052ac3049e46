/** The page at `/` if no web interface is installed. */
export const landingPage = (version: string, basePath: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Service</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 38rem; margin: 15vh auto; padding: 0 1.5rem; color: #1d2129; background: #fbfbfa }
  code { background: #ececea; padding: .1em .35em; border-radius: 4px }
  @media (prefers-color-scheme: dark) { body { color: #e6e6e3; background: #17181b } code { background: #2a2c31 } a { color: #8ab4ff } }
</style>
<h1>Agent Service is running</h1>
<p>This is version ${escapeHtml(version)}. The HTTP API is available. No web interface is installed.</p>
<p>Programs find the description of the API at <a href="${escapeHtml(basePath)}/api/openapi.json"><code>${escapeHtml(basePath)}/api/openapi.json</code></a>.
To chat with an agent in a terminal, run <code>agent-service chat</code>.</p>
</html>
`

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
