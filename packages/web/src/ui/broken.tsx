/** What stands where a part of the page has failed: what went wrong, and a way to begin again. */

import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './states.tsx';

interface State {
  readonly error: Error | null;
}

export class Broken extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center">
        <div role="alert">
          <Empty icon="alert" title="This page has failed">
            <p className="mb-3 break-words">{error.message}</p>
            <Button kind="primary" onClick={() => location.reload()}>
              Load it again
            </Button>
          </Empty>
        </div>
      </main>
    );
  }
}
