import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMAIL_SAMPLES, type MailTemplateName } from './samples';

const settings = { locale: 'de', app_url: 'https://threshold.example', now: new Date('2026-07-01T10:00:00Z') };

describe('the sample mails', () => {
  it.each(Object.keys(EMAIL_SAMPLES) as MailTemplateName[])('render %s as HTML and text', async (name) => {
    const { subject, html, text } = await EMAIL_SAMPLES[name].render(settings);
    expect(subject).toMatch(/\S/);
    expect(html).toContain(`lang="${EMAIL_SAMPLES[name].audience === 'guest' ? 'de' : 'en'}"`);
    expect(text.length).toBeGreaterThan(80);
  });

  it('include every mail that the product can send', () => {
    const sources = readdirSync(join(process.cwd(), 'src/emails'))
      .filter((name) => /\.tsx?$/.test(name) && !/test|samples/.test(name))
      .map((name) => readFileSync(join(process.cwd(), 'src/emails', name), 'utf8'));
    const renderers = sources.flatMap((text) =>
      [...text.matchAll(/export (?:async )?(?:function|const) (render\w+Email)\b/g)].map((match) => match[1]),
    );
    const samples = readFileSync(join(process.cwd(), 'src/emails/samples.ts'), 'utf8');
    expect(renderers.length).toBeGreaterThanOrEqual(11);
    expect(renderers.filter((name) => !samples.includes(`.${name}(`))).toEqual([]);
  });
});
