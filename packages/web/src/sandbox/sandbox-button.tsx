/** Opens and closes the sandbox drawer; not rendered at a venue. The drawer's content loads when it first opens. */

import { lazy, Suspense } from 'react';
import { useIsSandbox } from '../session/sandbox.ts';
import { IconButton } from '../ui/button.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { setDrawer, useDrawer } from '../ui/size.ts';
import { Loading } from '../ui/states.tsx';

const SandboxDrawer = lazy(() => import('./sandbox-drawer.tsx'));

export function SandboxButton() {
  const isSandbox = useIsSandbox();
  const { isOpen, isDocked } = useDrawer();
  if (isSandbox !== true) return null;
  return (
    <>
      <IconButton icon="flask" label="Sandbox" aria-expanded={isOpen} onClick={() => setDrawer(!isOpen)} />
      <Drawer
        isOpen={isOpen}
        onOpen={setDrawer}
        isDocked={isDocked}
        title="Sandbox"
        about="Time, market, faults and worlds of this exchange. None of it exists at a venue."
      >
        <Suspense fallback={<Loading label="Loading the sandbox" />}>
          <SandboxDrawer />
        </Suspense>
      </Drawer>
    </>
  );
}
