// Draws the pictures of docs/dev/performance.md: SVG by ECharts, which needs no browser for it.
import * as echarts from 'echarts';

import type { Plot } from './report';

const INK = '#334155';
const OURS = '#0f766e';
const OTHERS = '#94a3b8';
const GOAL = '#b45309';

export function draw({ title, axis, logarithmic, bars }: Plot): string {
	const size = { width: 860, height: 90 + bars.length * 34 };
	const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
	const text = { color: INK, fontFamily: 'sans-serif' };
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		textStyle: text,
		title: { text: title, left: 12, top: 8, textStyle: { ...text, fontSize: 15 } },
		grid: { left: 250, right: 110, top: 44, bottom: 44 },
		xAxis: {
			type: logarithmic ? 'log' : 'value',
			name: axis,
			nameLocation: 'middle',
			nameGap: 28,
			axisLabel: text,
		},
		yAxis: {
			type: 'category',
			inverse: true,
			data: bars.map(({ name }) => name),
			axisLabel: { ...text, width: 236, overflow: 'break' },
			axisTick: { show: false },
		},
		series: [
			{
				type: 'bar',
				barWidth: 16,
				data: bars.map(({ name, value, label }) => ({
					value,
					itemStyle: { color: name.startsWith('bare') ? OTHERS : OURS },
					label: { show: true, position: 'insideRight', color: '#ffffff', formatter: label },
				})),
			},
			{
				type: 'scatter',
				symbol: 'rect',
				symbolSize: [3, 24],
				itemStyle: { color: GOAL },
				data: bars.flatMap(({ goal }, index) => (goal === undefined ? [] : [[goal, index]])),
			},
		],
	});
	const svg = chart.renderToSVGString();
	// Its clock would keep the process alive.
	chart.dispose();
	return svg;
}
