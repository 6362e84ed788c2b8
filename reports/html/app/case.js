// One case: its name, how to repeat it, its tensors and its result.

function differencesTable(differences, tensors) {
  const rows = differences.filter(Array.isArray);
  const rest = differences.filter((each) => !Array.isArray(each));
  const parts = [];
  if (rows.length > 0) {
    const typeOf = (name) => (tensors.find((tensor) => tensor.name === name) || {}).type;
    const value = (digits, type) => {
      const text = decode(digits, type);
      return make('div', {}, code(`0x${digits}`), text && make('div', {class: 'decoded'}, text));
    };
    parts.push(table('First differences',
      [['Element'], ['Byte', 'number'], ['Expected'], ['Actual'], ['Remark']],
      rows.map(([tensor, element, byte, expected, actual, note]) =>
        [code(`${tensor}[${element}]`), number(byte), value(expected, typeOf(tensor)),
          value(actual, typeOf(tensor)), note && `(${note})`])));
  }
  if (rest.length > 0) parts.push(make('pre', {tabindex: '0'}, rest.join('\n')));
  return parts;
}

function tensorParts(tensors) {
  const strides = (tensor) => {
    if (!tensor.strides) return 'none (packed)';
    return tensor.strides.join(', ') + (tensor.layout === 'other' ? '' : ` – ${tensor.layout}`);
  };
  const parts = [table('Tensors',
    [['Tensor'], ['Type'], ['Sizes'], ['Strides, in elements'], ['TotalTensorSizeInBytes', 'number']],
    tensors.map((tensor) => [`${tensor.name} (${tensor.isOutput ? 'output' : 'input'})`,
      code(tensor.type), tensor.sizes.join('x') || 'none', strides(tensor),
      tensor.total.toLocaleString('en-US')]))];
  for (const tensor of tensors) {
    let picture;
    try { picture = layoutPicture(tensor); } catch { picture = undefined; }
    if (picture) {
      parts.push(make('details', tensor.strides ? {open: ''} : {},
        make('summary', {}, `${tensor.name} in memory`), picture));
    }
  }
  return parts;
}

// Returns "1 of 48 elements wrong" if that is all.
function messageOf({elements, kinds, message}) {
  const wrong = kinds['wrong-elements'];
  return elements && message === counted(wrong, 'wrong element')
    ? `${number(wrong)} of ${counted(elements, 'element')} wrong` : message;
}

// Links only to what lies beside or above the page; shows anything else as text.
const linkBeside = (path, shown) => (/^[\w][\w./ -]*$|^\.\.\/[\w./ -]+$/.test(path)
  ? make('a', {href: path}, code(shown)) : code(shown));

const bundleParts = ({bundle, bundleFiles}) => [make('p', {}, linkBeside(`${bundle}/`, bundle)),
  make('ul', {class: 'inline'}, bundleFiles.map((file) => make('li', {}, linkBeside(`${bundle}/${file}`, file))))];

const shellQuoted = (text) => (/^[\w.=:,()*+/@ -]*$/.test(text) ? `"${text}"`
  : `'${text.replaceAll('\'', '\'\\\'\'')}'`);

// Returns a case's tensors: [{name, isOutput, type, sizes, strides, total, layout}].
const tensorsOf = (row) => (row ? row.all('tensors') : []).map((line) => {
  const [name, direction, type, sizes, strides, total, layout] = line.split(' ');
  return {name, type, isOutput: direction === 'output', sizes: sizes === '-' ? [] : sizes.split('x').map(Number),
    strides: strides === '-' ? undefined : strides.split(',').map(Number), total: BigInt(total), layout};
});

function verdictPart(row, failure) {
  if (data.page === 'diff') {
    const change = Object.values(data.changes).flat().find((each) => each.case === row.name);
    return [verdictChange(change), ' ', change.message];
  }
  return [verdictBadge(row.verdict), ' ', failure ? messageOf(failure) : row.all('note').join('\n') || elsewhere(row)];
}

function caseParts(name) {
  const row = rowOf(name);
  const failure = row && failureDetails.get(row.name);
  const replay = failure ? failure.replay
    : `${data.replay} ${shellQuoted(name)}`;
  const parts = [
    make('p', {class: 'command'}, code(name)),
    make('div', {class: 'copy-row'}, copyButton(name, 'Copy case string'),
      copyButton(replay, 'Copy replay command')),
    make('p', {class: 'command aside'}, code(replay)),
  ];
  if (!row) return [...parts, make('p', {class: 'aside'}, 'This page has no such case.')];
  parts.push(make('p', {}, verdictPart(row, failure)));
  const tensors = tensorsOf(row);
  const block = (title, ...content) => {
    if (content.flat().length > 0) parts.push(make('h3', {}, title), ...content.flat());
  };
  if (failure) {
    block('First differences', differencesTable(failure.differences, tensors));
    const kinds = Object.entries(failure.kinds).map(([kind, count]) => `${kind} ${number(count)}`);
    block('Kinds of difference', kinds.length > 0 ? make('p', {}, kinds.join(', ')) : []);
    block('Attempts', failure.attempts.length > 0
      ? make('ol', {}, failure.attempts.map((attempt) => make('li', {}, attempt))) : []);
    block('Worker stderr', failure.workerStderr
      ? make('pre', {tabindex: '0'}, failure.workerStderr) : []);
    block('Failure bundle', failure.bundle ? bundleParts(failure) : []);
  }
  block('Descriptor', tensors.length > 0 ? tensorParts(tensors) : []);
  block('Facts', facts(Object.entries(factTitles).filter(([key]) => key !== 'rule' && row.text(key))
    .map(([key, title]) => [title, make('span', {}, row.all(key).flatMap((value, i) =>
      [i > 0 ? ', ' : '', linkToCases({[key]: [value]}, value)]))])));
  const wording = (id) => {
    const rule = (data.rules || []).find((each) => each.id === id);
    return rule && rule.known ? ` ${rule.wording}` : '';
  };
  block('Rules exercised', row.text('rule')
    ? make('ul', {}, row.all('rule').map((id) => make('li', {}, ruleLink(id), wording(id)))) : []);
  if (failure) parts.push(make('p', {class: 'aside'}, `Took ${seconds(failure.seconds)}.`));
  return parts;
}

// Finds the list from which the case was opened, or another list that has it, and its place there.
function placeOf(name) {
  const {section} = readState();
  return shownSections.filter((each) => each.names).sort((a, b) => (b.id === section) - (a.id === section))
    .map(({title, names}) => ({title, names, at: names.indexOf(name)})).find(({at}) => at >= 0);
}

function stepTo(step) {
  const place = placeOf(caseDialog.dataset.name);
  const next = place && place.names[place.at + step];
  if (next) go({case: next}, true);
}

const stepKeys = {ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1};

const caseDialog = make('dialog', {
  class: 'case', 'aria-labelledby': 'case-title',
  onclose: () => { if (readState().case) go({case: ''}); },
  onclick: (event) => { if (event.target === caseDialog) caseDialog.close(); },
  onkeydown: (event) => {
    const step = stepKeys[event.key];
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (step && !modified && !event.target.closest('.scroll, pre')) stepTo(step);
  },
});

function showCase(name) {
  if (name === (caseDialog.open ? caseDialog.dataset.name : '')) return;
  if (!name) {
    caseDialog.close();
    return;
  }
  const place = placeOf(name);
  const button = (label, attributes, onclick) => make('button', {type: 'button', onclick, ...attributes}, label);
  const stepper = (label, step, keys) => button(label, {'data-step': step, 'aria-keyshortcuts': keys,
    title: keys, disabled: place && place.names[place.at + step] ? undefined : ''}, () => stepTo(step));
  const held = caseDialog.open && caseDialog.contains(document.activeElement)
    ? document.activeElement.dataset.step : undefined;
  const close = button('Close', {}, () => caseDialog.close());
  caseDialog.dataset.name = name;
  caseDialog.replaceChildren(
    make('div', {class: 'case-head'}, make('h2', {id: 'case-title'}, 'Case', place && make('span', {class: 'count'},
      `${number(place.at + 1)} of ${number(place.names.length)} in ${place.title}`)),
    make('div', {class: 'steps'}, stepper('← Previous', -1, 'ArrowLeft k'), stepper('Next →', 1, 'ArrowRight j'), close)),
    ...caseParts(name));
  if (!caseDialog.open) caseDialog.showModal();
  // The element that had the focus is gone.
  (caseDialog.querySelector(`[data-step="${held}"]:not([disabled])`) || close).focus();
  caseDialog.scrollTop = 0;
}
