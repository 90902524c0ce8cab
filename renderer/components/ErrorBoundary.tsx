import { Component, type ReactNode } from 'react'
import { text } from '../text/text.ts'

/** Keeps what cannot be drawn from taking the rest of the window with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <div className="empty" role="alert">
        <h2 className="empty-title">{text.start.broken}</h2>
        <p>{text.start.brokenText}</p>
        <button type="button" className="button" onClick={() => this.setState({ broken: false })}>
          {text.start.drawAgain}
        </button>
      </div>
    )
  }
}
