'use client';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { type ActivityDay, dayName, SERIES } from './activity';

const tick = { fill: 'var(--ink-soft)', fontSize: 12 };

/** The picture alone; its words are beside it, so it takes no focus of its own. */
export default function ActivityChart({ days }: { days: ActivityDay[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={days} margin={{ top: 4, right: 0, bottom: 0, left: 0 }} barGap={1} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="day" tickFormatter={dayName} tick={tick} tickLine={false} axisLine={false} minTickGap={28} />
        <YAxis allowDecimals={false} tick={tick} tickLine={false} axisLine={false} width={32} />
        <Tooltip
          labelFormatter={(day) => dayName(String(day))}
          cursor={{ fill: 'var(--muted)' }}
          contentStyle={{
            background: 'var(--raised)',
            border: '1px solid var(--line)',
            borderRadius: 8,
            color: 'var(--ink)',
            fontSize: 12,
          }}
        />
        {SERIES.map(({ key, label, color }) => (
          <Bar key={key} dataKey={key} name={label} fill={color} radius={[2, 2, 0, 0]} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
