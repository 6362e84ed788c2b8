#pragma once

#include <concepts>
#include <type_traits>

#include "reports/journal/journal.h"

// The members of a journal line: one list for the writer and the reader.

namespace dmlcts {

enum class Member {
  Required,  // always written; a line without it is an error
  Optional,  // written unless it has its default value
};

// Calls visit(name, field, Member) for each member of a header that is also in gpu::Identity. With
// several identities or headers, calls visit(name, one, other, …, Member).
template <typename Visit, typename... Identities>
void visitIdentities(Visit&& visit, Identities&... all) {
  visit("target", all.target..., Member::Required);
  visit("adapter", all.adapter..., Member::Optional);
  visit("vendorId", all.vendorId..., Member::Optional);
  visit("deviceId", all.deviceId..., Member::Optional);
  visit("driver", all.driver..., Member::Optional);
  visit("runtime", all.runtime..., Member::Optional);
  visit("implementation", all.implementation..., Member::Optional);
  visit("shaderModel", all.shaderModel..., Member::Optional);
  visit("maxLevel", all.maxLevel..., Member::Optional);
  visit("limits", all.limits..., Member::Optional);
  visit("files", all.files..., Member::Optional);
}

template <class T, class Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

// Calls visit(name, field, Member) for each member of a line or a difference, in file order. The
// first one of a header, "journal", of a worker failure, of an investigation, and of a bundle
// distinguishes it from other lines.
template <MaybeConst<JournalHeader> Header, typename Visit>
void visitMembers(Header& header, Visit&& visit) {
  visit("journal", header.version, Member::Required);
  visit("suiteVersion", header.suiteVersion, Member::Required);
  visit("suiteCommit", header.suiteCommit, Member::Optional);
  visit("commandLine", header.commandLine, Member::Optional);
  visit("worker", header.worker, Member::Optional);
  visit("replayArguments", header.replayArguments, Member::Optional);
  visit("host", header.host, Member::Optional);
  visit("startedAt", header.startedAt, Member::Optional);
  visit("tier", header.tier, Member::Optional);
  visit("caseFile", header.caseFile, Member::Optional);
  visit("queries", header.queries, Member::Optional);
  visit("levelFilter", header.levelFilter, Member::Optional);
  visit("mode", header.mode, Member::Optional);
  visit("failFast", header.failFast, Member::Optional);
  visit("failedOf", header.failedOf, Member::Optional);
  visit("tierCases", header.tierCases, Member::Optional);
  visit("seed", header.seed, Member::Required);
  visit("shardIndex", header.shardIndex, Member::Required);
  visit("shardCount", header.shardCount, Member::Required);
  visit("plannedCases", header.plannedCases, Member::Required);
  visit("specification", header.specification, Member::Required);
  visit("strict", header.strict, Member::Optional);
  visit("planHash", header.planHash, Member::Required);
  visit("partitionHash", header.partitionHash, Member::Optional);
  visitIdentities(visit, header);
}

template <MaybeConst<JournalEntry> Entry, typename Visit>
void visitMembers(Entry& entry, Visit&& visit) {
  visit("case", entry.caseString, Member::Required);
  visit("family", entry.family, Member::Required);
  visit("operator", entry.op, Member::Required);
  visit("level", entry.level, Member::Required);
  visit("type", entry.type, Member::Required);
  visit("rank", entry.rank, Member::Required);
  visit("executed", entry.executed, Member::Required);
  visit("mode", entry.mode, Member::Optional);
  visit("verdict", entry.verdict, Member::Required);
  visit("weak", entry.weak, Member::Optional);
  visit("labels", entry.labels, Member::Optional);
  visit("has", entry.has, Member::Optional);
  visit("denormals", entry.denormals, Member::Optional);
  visit("levelOnly", entry.levelOnly, Member::Optional);
  visit("rules", entry.rules, Member::Optional);
  visit("violated", entry.violated, Member::Optional);
  visit("kinds", entry.kinds, Member::Optional);
  visit("observations", entry.observations, Member::Optional);
  visit("message", entry.message, Member::Optional);
  visit("differences", entry.differences, Member::Optional);
  visit("attempts", entry.attempts, Member::Optional);
  visit("workerStderr", entry.workerStderr, Member::Optional);
  visit("bundle", entry.bundle, Member::Optional);
  visit("seconds", entry.seconds, Member::Required);
  visit("worker", entry.worker, Member::Optional);
  visit("request", entry.request, Member::Optional);
  visit("number", entry.number, Member::Optional);
}

template <MaybeConst<Difference> Of, typename Visit>
void visitMembers(Of& difference, Visit&& visit) {
  visit("tensor", difference.tensor, Member::Optional);
  visit("element", difference.element, Member::Optional);
  visit("byte", difference.byte, Member::Optional);
  visit("expected", difference.expected, Member::Optional);
  visit("actual", difference.actual, Member::Optional);
  visit("note", difference.note, Member::Optional);
}

template <MaybeConst<JournalWorkerFailure> WorkerFailure, typename Visit>
void visitMembers(WorkerFailure& workerFailure, Visit&& visit) {
  visit("workerFailure", workerFailure.when, Member::Required);
  visit("verdict", workerFailure.verdict, Member::Required);
  visit("message", workerFailure.message, Member::Optional);
  visit("workerStderr", workerFailure.workerStderr, Member::Optional);
}

template <MaybeConst<JournalInvestigation> Investigation, typename Visit>
void visitMembers(Investigation& investigation, Visit&& visit) {
  visit("investigated", investigation.caseString, Member::Required);
  visit("failure", investigation.failure, Member::Required);
  visit("when", investigation.when.occurs, Member::Required);
  visit("requests", investigation.when.requests, Member::Optional);
  visit("after", investigation.when.after, Member::Optional);
  visit("workers", investigation.when.workers, Member::Optional);
  visit("failed", investigation.when.failed, Member::Optional);
  visit("tries", investigation.when.tries, Member::Optional);
}

template <MaybeConst<JournalBundle> Bundle, typename Visit>
void visitMembers(Bundle& bundle, Visit&& visit) {
  visit("bundleOf", bundle.caseString, Member::Required);
  visit("bundle", bundle.bundle, Member::Required);
}

}  // namespace dmlcts
