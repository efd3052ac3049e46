import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/components.css'
import './styles/shell.css'
import {
  applyLanguage,
  applyTheme,
  goOnTranslated,
  keepInputMethodKeys,
  onHasScreen,
  onPrepareScreen,
  scriptAddress,
  startRouter,
  startSession,
  startShortcuts,
} from '@agent-service/sdk/web/host'
import { render } from 'solid-js/web'
import { findScreen, loadScreen } from './app/screens.js'
import { Shell } from './shell/shell.js'

applyTheme()
applyLanguage()
keepInputMethodKeys()
startRouter()
onPrepareScreen(loadScreen)
onHasScreen((path) => findScreen(path) !== undefined)
startShortcuts()
goOnTranslated()
const root = document.getElementById('root')
if (root) render(() => <Shell />, root)
void startSession()
if ('serviceWorker' in navigator && window.isSecureContext)
  window.addEventListener('load', () => void navigator.serviceWorker.register(scriptAddress('serviceWorker')).catch(() => undefined))
