// The page of `dmlcts matrix`: configurations side by side, changes from one to the next, and the
// versions that have each finding.

const reportOf = ({name}) => `${encodeURIComponent(name)}/index.html`;
// Links to another page; only text if those pages are not beside this one.
const linkOut = (options, ...text) => make(data.linked ? 'a' : 'span', data.linked ? options : {}, ...text);

function renderMatrixHeader(root) {
  const wrong = data.configurations.some(({exitStatus, problem}) => exitStatus || problem);
  const open = data.configurations.some(({doubt}) => doubt);
  const tone = wrong ? 'bad' : open ? 'attention' : 'good';
  root.append(
    ...titleParts('versions and drivers compared', tone, data.headline),
    warningList(data.warnings || []));
}

// Groups configurations, by number, with the same results in all lines: they share a column.
function columnsOf(lines) {
  const said = (i) => JSON.stringify([data.configurations[i].problem, lines.map(({cells}) =>
    [cells[i].status, cells[i].count, cells[i].of, cells[i].statement])]);
  return groupsOf([...data.configurations.keys()], said).map(([, column]) => column);
}

function configurationHead(column) {
  const [first, ...others] = column.map((i) => data.configurations[i]).map((each) => {
    const name = make('code', {}, each.name.split(/(?<=-)/).flatMap((part) => [part, make('wbr')]));
    return each.problem ? name : linkOut({href: reportOf(each)}, name);
  });
  return make('th', {scope: 'col'}, first, others.length > 0 && make('details', {},
    make('summary', {}, `and ${counted(others.length, 'other')}`),
    make('ul', {class: 'plain'}, others.map((other) => make('li', {}, other)))));
}

const statusWord = ({status}) => (statuses[status] || [])[3];

// Shows a column's result for a line, with a link into the first configuration's own report.
function configurationCell({cells}, column, place, word) {
  const cell = cells[column[0]];
  const configuration = data.configurations[column[0]];
  if (cell.status === 'NotRun') return configuration.problem ? '' : badge('neutral', '', 'no case');
  const [symbol, tone] = statuses[cell.status] || ['?', 'neutral'];
  const times = column.map((i) => cells[i].seconds);
  const shown = [...new Set([Math.min(...times), Math.max(...times)].map(seconds))];
  return make(data.linked ? 'a' : 'span', {class: `badge ${tone}`, title: cell.statement,
    ...(data.linked && {href: `${reportOf(configuration)}#${place}`})},
  make('span', {'aria-hidden': 'true'}, symbol), ' ', word(cell),
  cell.of > 0 && make('span', {class: 'of'}, `${number(cell.count)} of ${number(cell.of)}`),
  Math.max(...times) > 0 && make('span', {class: 'of'}, shown.join(' to ')));
}

// Makes a table of lines by configurations, which scrolls inside its own box. `rowOf` returns a
// line's head, its place in a report, and the word for a cell.
function configurationTable(caption, first, lines, rowOf) {
  const columns = columnsOf(lines);
  return make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    make('table', {class: 'configurations'},
      make('caption', {class: 'unseen'}, caption),
      make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, first),
        columns.map(configurationHead))),
      make('tbody', {}, lines.map((line) => {
        const {head, place, word} = rowOf(line);
        return make('tr', {}, make('th', {scope: 'row'}, head), columns.map((column) =>
          make('td', {}, configurationCell(line, column, place, word))));
      }))));
}

const neighbourLink = ({before, after}) =>
  `${encodeURIComponent(after)}/from-${encodeURIComponent(before)}.html`;

function neighbourParts(each) {
  const counts = changes.filter(([key]) => each.counts[key] > 0).map(([key, symbol, tone, title]) =>
    make('li', {}, badge(tone, symbol, `${number(each.counts[key])} ${title.toLowerCase()}`)));
  const rows = ['broken', 'weakened', 'fixed'].flatMap((key) => each.changes[key]);
  const worse = each.exitStatus === undefined ? each.regression : each.exitStatus !== 0;
  return make('article', {class: 'cluster'},
    make('h3', {}, code(each.before), ' → ', code(each.after)),
    make('p', {}, badge(worse ? 'bad' : 'good', worse ? '✕' : '✓', each.headline),
      ' ', data.linked && make('a', {href: neighbourLink(each)}, 'the two in full')),
    each.warnings.map((warning) => make('p', {class: 'aside'}, `Warning: ${warning}.`)),
    counts.length > 0 && make('ul', {class: 'inline'}, counts),
    each.facts.length > 0 && make('dl', {class: 'values'}, each.facts.flatMap((fact) =>
      [make('dt', {}, fact.what), make('dd', {}, `${fact.before || '(none)'} → ${fact.after || '(none)'}`)])),
    rows.length > 0 && make('ul', {class: 'cases'}, rows.map((row) => make('li', {},
      verdictChange(row), ' ', code(row.case), make('span', {class: 'message'}, row.message)))));
}

sections.push({
  id: 'changes',
  title: 'From one to the next',
  pages: ['matrix'],
  absent: data.page !== 'matrix' || data.neighbours.length === 0,
  render(root) {
    // Cases that only one of the two ran are no difference.
    const differ = ({counts}) => changes.some(([key]) =>
      !['newlyCovered', 'noLongerRun'].includes(key) && counts[key] > 0);
    const alike = data.neighbours.filter((each) => !differ(each));
    root.append(...data.neighbours.filter(differ).map(neighbourParts));
    if (alike.length > 0) {
      root.append(folded(`${counted(alike.length, 'pair')} with the same verdicts in all that both ran`,
        ...alike.map(neighbourParts)));
    }
  },
});

sections.push({
  id: 'configurations',
  title: 'Configurations',
  pages: ['matrix'],
  render(root) {
    root.append(table('What was tested',
      [['Configuration'], ['Target'], ['Driver'], ['Tier', 'tight'], ['Verdicts'], ['Case time', 'number']],
      data.configurations.map((each) => (each.problem
        ? [code(each.name), badge('attention', '!', 'no report'), '', '',
          make('span', {class: 'message'}, each.problem), '']
        : [linkOut({href: reportOf(each)}, code(each.name)), `${each.target} ${each.version}`,
          each.driver, each.tier,
          make('div', {}, listTotals(each.totals), each.workerFailures > 0 && `, ${counted(each.workerFailures, 'worker failure')}`,
            each.doubt && make('div', {}, badge('attention', '?', each.doubt)),
            make('div', {class: 'source'}, `suite ${each.suite}, specification ${each.specification}`)),
          seconds(each.caseSeconds)]))));
  },
});

// Shows a table of lines that differ and, folded behind a count, the others.
function linesBy(root, what, lines, rowOf) {
  const differing = lines.filter(({differs}) => differs);
  const alike = lines.filter(({differs}) => !differs);
  root.append(differing.length > 0
    ? configurationTable(`${what} that differ`, what, differing, rowOf)
    : make('p', {class: 'aside'}, 'No two configurations that ran differ.'));
  if (alike.length === 0) return;
  root.append(folded(`${number(alike.length)} of which all that ran say the same`,
    configurationTable(`${what} that do not differ`, what, alike, rowOf)));
}

sections.push({
  id: 'operators',
  title: 'Operators',
  pages: ['matrix'],
  render(root) {
    root.append(make('p', {class: 'aside'}, 'Cases that pass, of those that ran, at all levels '
      + 'together, and the time that they took, oracle and worker included. Configurations that say '
      + 'the same share a column; a cell leads to the first one\'s own report.'),
    configurationTable('Operators', 'Operator', data.byOperator, ({operator}) => (
      {head: code(operator), place: `compliance?q=${operator}`, word: statusWord})));
    root.append(make('h3', {}, 'By level'));
    linesBy(root, 'Levels', data.byLevel, ({operator, level}) => ({
      head: make('span', {}, code(operator), ` ${level}`),
      place: `cases?q=${operator}+level%3D${level}`,
      word: statusWord,
    }));
  },
});

sections.push({
  id: 'rules',
  title: 'Rules',
  pages: ['matrix'],
  render(root) {
    linesBy(root, 'Rules', data.byRule, ({rule}) => ({
      head: make('span', {title: data.wording[rule] || ''},
        make('code', {}, rule.split(/(?<=[.-])/).flatMap((part) => [part, make('wbr')]))),
      place: `rule-${rule}`,
      word: ({statement}) => statement,
    }));
  },
});

function whenOn({driver, has, lacks, since, notBefore, until, notAfterwards}) {
  const said = [];
  if (has.length > 0) said.push(`in ${has.join(', ')}`);
  if (lacks.length > 0) said.push(`not in ${lacks.join(', ')}`);
  if (since) said.push(`since ${since}, not yet in ${notBefore}`);
  if (until) said.push(`until ${until}, no longer in ${notAfterwards}`);
  return make('li', {}, badge(has.length > 0 ? 'bad' : 'good', has.length > 0 ? '✕' : '✓', driver),
    `: ${said.join('; ')}`);
}

sections.push({
  id: 'findings',
  title: 'Findings',
  pages: ['matrix'],
  absent: data.page !== 'matrix' || data.findings.length === 0,
  render(root) {
    root.append(make('p', {class: 'aside'}, 'Causes of failures, and rules that are not kept without '
      + 'a failure, by target: a case counts that fails in any configuration. Versions are compared '
      + 'on one driver, never across two.'),
    ...data.findings.map((each) => causeArticle([code(each.target), ': ', queryTitle(each.rule || each.query)], each,
      each.shortest && code(each.shortest), each.message,
      make('ul', {class: 'plain'}, each.drivers.map(whenOn)),
      make('p', {class: 'aside'}, each.cells.flatMap(({found, of}, i) => (of === 0 ? []
        : [`${data.configurations[i].name}: ${number(found)} of ${number(of)}`])).join('; ')))));
  },
});
