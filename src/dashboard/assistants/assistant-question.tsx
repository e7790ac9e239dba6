'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';
import { getRedirectUriDisplayName } from '@/modules/assistants/redirect-uri.rules';
import { removeScopesIncludedInOthers } from '../developers/api-keys/scope-groups';
import { ApiKeyScopePicker } from '../developers/api-keys/scope-picker';
import { Checkbox } from '../developers/checkbox';
import { Notice } from '../developers/notice';
import { useMe } from '../shell/me';
import type { AssistantClient } from '../types';
import { Button } from '../ui/button';
import { CardBody, CompactDescriptionList } from '../ui/card';
import { submitAssistantConsentDecision } from './post-consent';

interface AssistantQuestionProps {
  client: AssistantClient;
  oauth_query: string;
  onConnected: () => void;
}

/** Shows which assistant requests which scopes, and lets the user choose the scopes to grant. */
export function AssistantConsentPrompt({ client, oauth_query, onConnected }: AssistantQuestionProps) {
  const t = useTranslations('assistants');
  const keys = useTranslations('api_keys');
  const { team, teams } = useMe();
  const query = new URLSearchParams(oauth_query);
  const named = query.get('scope')?.split(' ') ?? [];
  const asked = API_KEY_SCOPE_NAMES.filter((scope) => named.includes(scope));
  // When an assistant requests every scope, no scope is preselected, so that the user has to
  // choose.
  const all = asked.length === API_KEY_SCOPE_NAMES.length;
  const [mode, setMode] = useState<'live' | 'test'>('test');
  const [chosen, setChosen] = useState<readonly string[]>(all ? [] : asked);
  const answer = useMutation({ mutationFn: submitAssistantConsentDecision, meta: { handlesError: true } });
  const send = (scopes: readonly string[] | null) =>
    answer.mutate(
      { team_id: team.id, mode, oauth_query, scopes },
      {
        onSuccess: (url) => {
          // The URL may open a program on the user's machine, and the browser then stays on this
          // page. The page shows that the assistant is connected.
          if (scopes) onConnected();
          window.location.assign(url);
        },
      },
    );
  return (
    <CardBody className="grid gap-5">
      <Notice tone="warning" title={t('only_if_you_started_it')}>
        {t('refuse_a_link')}
      </Notice>
      <CompactDescriptionList
        items={[
          {
            label: t('calls_itself'),
            value: client.name ? (
              <>
                <q>{client.name}</q>
                <span className="block text-ink-soft text-xs">{t('name_is_unproven')}</span>
              </>
            ) : (
              t('no_name')
            ),
          },
          { label: t('sends_you_to'), value: getRedirectUriDisplayName(query.get('redirect_uri') ?? '') },
          {
            label: t('team'),
            value: (
              <>
                {team.name}
                {teams.length > 1 ? <span className="block text-ink-soft text-xs">{t('another_team')}</span> : null}
              </>
            ),
          },
        ]}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-medium text-sm">{t('data')}</legend>
        <Checkbox
          type="radio"
          name="mode"
          checked={mode === 'test'}
          onChange={() => setMode('test')}
          label={t('test_data')}
          hint={t('test_data_hint')}
        />
        <Checkbox
          type="radio"
          name="mode"
          checked={mode === 'live'}
          disabled={!client.live_allowed}
          onChange={() => setMode('live')}
          label={t('live_data')}
          hint={t(client.live_allowed ? 'live_data_hint' : 'live_not_allowed')}
        />
      </fieldset>
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-medium text-sm">{t('may')}</legend>
        <p className="text-ink-soft text-sm">{t('acts_as_you')}</p>
        {all ? (
          <ApiKeyScopePicker value={chosen} onChange={setChosen} />
        ) : (
          asked.map((scope) => (
            <Checkbox
              key={scope}
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setChosen(asked.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
              }
              label={<code className="font-mono text-xs">{scope}</code>}
            />
          ))
        )}
      </fieldset>
      {answer.error ? (
        <p role="alert" className="text-danger text-sm">
          {t('invalid')} {t('invalid_detail')}
        </p>
      ) : null}
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          size="lg"
          pending={answer.isPending}
          disabledReason={chosen.length === 0 ? keys('choose_at_least_one_scope') : null}
          onClick={() => send(removeScopesIncludedInOthers(chosen))}
        >
          {t('connect')}
        </Button>
        <Button size="lg" variant="secondary" pending={answer.isPending} onClick={() => send(null)}>
          {t('refuse')}
        </Button>
      </div>
    </CardBody>
  );
}
