import { expect, test } from '../../fixtures';

test('in the request log an error code does not overflow its column', async ({ page, signIn, api }) => {
  const { id: property_id } = await api.post('/properties', { name: 'Harbour Loft' });
  const { id } = await api.post('/reservations', {
    ...{ property_id, guest_name: 'Ada Lovelace', guest_email: 'ada@example.com' },
    ...{ checkin_date: '2030-05-01', checkout_date: '2030-05-05' },
  });
  await api.post(`/reservations/${id}/send`);
  const refused = await api.call('PATCH', `/reservations/${id}`, { guest_name: 'Ada King' });
  expect(refused.body.error.code).toBe('reservation_not_editable');
  await signIn(page);
  await page.context().addCookies([{ name: 'threshold_mode', value: 'test', url: page.url() }]);
  for (const width of [800, 1024, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await page.goto('/developers/logs');
    const code = page.getByRole('cell').getByText('reservation_not_editable', { exact: true });
    await expect(code).toBeVisible();
    const [text, cell] = await code.evaluate((element) => [
      element.getBoundingClientRect().right,
      (element.closest('td') as HTMLElement).getBoundingClientRect().right,
    ]);
    expect(text, `${width}`).toBeLessThanOrEqual(cell ?? 0);
  }
});
