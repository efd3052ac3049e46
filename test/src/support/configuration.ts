import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a configuration whose one model group goes to an upstream that speaks OpenAI-style
 * completions.
 */
export async function writeConfiguration(
  folder: string,
  upstreamUrl: string,
  options: { readonly maxRetries?: number } = {},
): Promise<void> {
  await mkdir(path.join(folder, 'data'), { recursive: true })
  await writeFile(
    path.join(folder, 'data', 'config.yaml'),
    [
      'providers:',
      '  upstream:',
      '    provider: recorded',
      '    adapter: adapter_alpha',
      `    base_url: ${upstreamUrl}`,
      '    api_key: ${UPSTREAM_KEY}',
      'models:',
      '  primary:',
      '    provider: upstream',
      '    model: recorded-model',
      '    api: completions',
      '    retry:',
      `      max_retries: ${options.maxRetries ?? 0}`,
      '      initial_backoff_ms: 10',
      '',
    ].join('\n'),
  )
}
