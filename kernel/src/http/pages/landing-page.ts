/** What a browser sees at `/` when no web pages are installed. */
export const landingPage = (version: string): string => `<!doctype html>
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
<p>This is version ${escapeHtml(version)}. No web pages are installed here; the HTTP API is ready to use.</p>
<p>Its description is at <a href="/api/openapi.json"><code>/api/openapi.json</code></a>, and
<code>agent-service chat</code> talks to an agent from a terminal.</p>
</html>
`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
