import './jitless.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/frame.css'
import './styles/conversation.css'
import './styles/gate.css'
import './styles/composer.css'
import './styles/panel.css'
import './styles/chart.css'
import './styles/screens.css'
import './styles/overlay.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { findBridge } from './bridge.ts'

const place = document.querySelector('#window')
if (place) createRoot(place).render(<App bridge={findBridge()} />)
