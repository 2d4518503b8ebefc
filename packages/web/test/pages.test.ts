// Both pages as served by the exchange: they load, comply with their content security policy, and axe finds nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, describePages } from '@bourse/test-kit/browser/page-suite.ts';

describePages('the pages', { market: 'quiet' }, (suite) => {
  for (const path of ['/', '/console']) {
    test(`${path} loads from the exchange alone`, async () => {
      const page = await suite.open(path);
      await page.getByRole('main').waitFor();
      assert.deepEqual(await axeFindings(page), []);
    });
  }
});
