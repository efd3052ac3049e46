import { language, Mark } from '@agent-service/sdk/web'
import { chooseLanguage, type Language, languages } from '@agent-service/sdk/web/host'
import { For, type JSX, Show } from 'solid-js'
import { t } from './texts.js'

/** The frame of signing in and up: the thread of the logo, as high as the page. */
export function Door(props: { readonly title: string; readonly lead?: JSX.Element; readonly children: JSX.Element }): JSX.Element {
  return (
    <div class="sign">
      <header>
        <a class="brand" href="/">
          <Mark name="logo" />
          Agent Service
        </a>
      </header>
      <main>
        <div class="knot">
          <Mark name="next" />
          <h1 tabindex="-1">{props.title}</h1>
        </div>
        <Show when={props.lead}>
          <p class="t2">{props.lead}</p>
        </Show>
        {props.children}
      </main>
      <footer>
        <Mark name="off" />
        <select aria-label={t('language')} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
          <For each={Object.entries(languages)}>
            {([tag, name]) => (
              <option value={tag} selected={tag === language()} lang={tag}>
                {name}
              </option>
            )}
          </For>
        </select>
      </footer>
    </div>
  )
}
