import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/components.css'
import './styles/shell.css'
import { render } from 'solid-js/web'
import { onPrepareScreen } from './app/prepare-screen.js'
import { startRouter } from './app/router.js'
import { loadScreen } from './app/screens.js'
import { startSession } from './app/session.js'
import { startShortcuts } from './app/shortcuts.js'
import { applyTheme } from './app/theme.js'
import { keepInputMethodKeys } from './core/input-method.js'
import { goOnTranslated } from './core/translated-page.js'
import { scriptAddress } from './core/trusted.js'
import { applyLanguage } from './i18n/language.js'
import { Shell } from './shell/shell.js'

applyTheme()
applyLanguage()
keepInputMethodKeys()
startRouter()
onPrepareScreen(loadScreen)
startShortcuts()
goOnTranslated()
const root = document.getElementById('root')
if (root) render(() => <Shell />, root)
void startSession()
if ('serviceWorker' in navigator && window.isSecureContext)
  window.addEventListener('load', () => void navigator.serviceWorker.register(scriptAddress('serviceWorker')).catch(() => undefined))
