/** The sign-in form, loaded lazily: most pages never show it. */

import { lazy, Suspense } from 'react';
import { Loading } from '../ui/states.tsx';
import type { SignInFormProps } from './sign-in-form.tsx';

const SignInForm = lazy(() => import('./sign-in-form.tsx'));

export const PersonForm = (props: SignInFormProps) => (
  <Suspense fallback={<Loading label="Loading" lines={3} />}>
    <SignInForm {...props} />
  </Suspense>
);
