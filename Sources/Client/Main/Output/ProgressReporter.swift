import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Shows progress on standard error, a few times a second.
final class ProgressReporter: Sendable {
    private let kind: ProgressOptions.Kind?
    private let label: String
    private let total: Int64?
    private let screen: TerminalCapabilities
    private let line = Mutex<ProgressLine?>(nil)
    private let noticeCount = Atomic(0)
    /// The number of uploaded bytes, as last shown.
    private let sent = Atomic<Int64>(0)
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(kind: ProgressOptions.Kind?, label: String, total: Int64?, screen: TerminalCapabilities) {
        self.kind = kind
        self.label = label
        self.total = total
        self.screen = screen
    }

    /// Shows the progress of an upload, and whether it starts again.
    func show(done: Int64) {
        if done < sent.exchange(done, ordering: .relaxed) { report("the upload starts again from its beginning") }
        switch kind {
        case nil: bar().show(done: done)
        case .some(.none): break
        case .json: if isDue { StandardError.line("{\"done\":\(done),\"total\":\(Self.json(total))}") }
        case .plain: if isDue { StandardError.line(Self.plain(done, total)) }
        }
    }

    /// Shows the progress of a download, and its new notices.
    /// - Parameter prefix: What precedes the number of connections and the like; empty for nothing.
    func show(_ progress: DownloadProgress, prefix: String = "") {
        let note = [prefix, Self.note(progress)].filter { !$0.isEmpty }.joined(separator: "  ")
        for notice in progress.notices.dropFirst(noticeCount.exchange(progress.notices.count, ordering: .relaxed)) {
            report(notice)
        }
        switch kind {
        case nil:
            bar().show(
                done: progress.done, total: progress.total, base: progress.base, rate: progress.rate,
                note: note)
        case .some(.none): break
        case .json: if isDue { StandardError.line(Self.json(progress)) }
        case .plain:
            if isDue {
                let parts = [Self.plain(progress.done, progress.total), note].filter { !$0.isEmpty }
                StandardError.line(parts.joined(separator: ", "))
            }
        }
    }

    /// Prints a notice on a line of its own.
    func report(_ notice: String) {
        clear()
        StandardError.line(kind == .json ? Self.json(notice: notice) : SafeText.line(notice))
    }

    /// Completes a bar, so that what is printed next has a line of its own.
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - base: The number of bytes that were there before.
    func endBar(size: Int64, base: Int64 = 0) {
        if kind == nil { bar().finish(total: size, base: base) }
    }

    /// Completes the bar, or prints the last line of JSON or plain progress.
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - verified: The source of the checksum against which the file was verified.
    ///   - resumedFrom: The number of bytes reused from an earlier, interrupted download.
    func finish(size: Int64, verified: String, resumedFrom: Int64 = 0) {
        switch kind {
        case .json:
            StandardError.line(
                "{\"done\":\(size),\"total\":\(size),\"base\":\(resumedFrom),\"finished\":true,"
                    + "\"verified\":\(Self.json(verified))}")
        case .plain: StandardError.line(Self.plain(size, size))
        case nil: endBar(size: size, base: resumedFrom)
        case .some(.none): break
        }
    }

    func clear() { line.withLock { $0?.clear() } }

    private static func note(_ progress: DownloadProgress) -> String {
        var parts: [String] = []
        if progress.connections > 1 { parts.append("\(progress.connections) connections") }
        if progress.retries > 0 { parts.append(Plural.text(progress.retries, "retry", "retries")) }
        if let wait = progress.wait { parts.append("next attempt in \(ProgressBar.duration(seconds: wait))") }
        return parts.joined(separator: "  ")
    }

    private static func json(_ progress: DownloadProgress) -> String {
        "{\"done\":\(progress.done),\"total\":\(json(progress.total)),\"base\":\(progress.base),"
            + "\"rate\":\(json(progress.rate.map { Int64(saturating: $0) })),\"connections\":\(progress.connections),"
            + "\"retries\":\(progress.retries),"
            + "\"wait\":\(json(progress.wait.map { Int64(saturating: $0.rounded(.up)) }))}"
    }

    private static func json(notice: String) -> String { "{\"notice\":\(json(SafeText.line(notice)))}" }

    private static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private static func json(_ number: Int64?) -> String { number.map(String.init) ?? "null" }

    private static func plain(_ done: Int64, _ total: Int64?) -> String {
        ByteSize.text(done) + (total.map { " of " + ByteSize.text($0) } ?? "")
    }

    private func bar() -> ProgressLine {
        line.withLock { line in
            if let line { return line }
            let new = ProgressLine(ProgressBar(label: label, total: total), screen: screen)
            line = new
            return new
        }
    }

    private var isDue: Bool {
        last.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < .milliseconds(500) { return false }
            last = now
            return true
        }
    }
}

/// Shows the progress of the files of a post, which are uploaded one after the other.
struct MediaProgress: Sendable {
    private let files: [(reporter: ProgressReporter, size: Int64?)]

    init(_ paths: [String], _ option: ProgressOptions) {
        files = paths.map { path in
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? nil
            return (option.reporter(label: URL(fileURLWithPath: path).lastPathComponent, total: size), size)
        }
    }

    /// Shows the number of bytes of a file that have been sent.
    func show(_ index: Int, done: Int64) {
        if index > 0 { files[index - 1].reporter.endBar(size: files[index - 1].size ?? 0) }
        files[index].reporter.show(done: done)
    }

    func clear() {
        for file in files { file.reporter.clear() }
    }

    /// Completes the bars, or prints the last line of JSON or plain progress of each file. The server stores another form
    /// of the file, with which it cannot be compared.
    func finish() {
        for file in files { file.reporter.finish(size: file.size ?? 0, verified: "none") }
    }
}

/// The option that determines how progress is shown.
struct ProgressOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable { case json, plain, none }

    @Option(
        name: .customLong("progress"),
        help: "json, plain or none (default: a bar on a terminal, otherwise none).")
    var kind: Kind?

    func reporter(label: String, total: Int64?) -> ProgressReporter {
        ProgressReporter(kind: kind, label: label, total: total, screen: .current())
    }
}

/// The progress of several downloads, as it is shown.
final class CombinedProgress: Sendable {
    let reporter: ProgressReporter
    private let totals: Mutex<DownloadTotals>

    init(count: Int, _ option: ProgressOptions) {
        totals = Mutex(DownloadTotals(count: count))
        reporter = option.reporter(label: Plural.text(count, "file"), total: nil)
    }

    func update(_ id: Int, _ progress: DownloadProgress) { change { $0.update(id, progress) } }

    func end(_ id: Int, size: Int64?) { change { $0.end(id, size: size) } }

    func finish() {
        let sum = totals.withLock(\.progress)
        reporter.finish(size: sum.done, verified: "each file", resumedFrom: sum.base)
    }

    private func change(_ body: (inout DownloadTotals) -> Void) {
        let (sum, text) = totals.withLock { totals in
            body(&totals)
            return (totals.progress, "\(totals.ended) of \(totals.count)")
        }
        reporter.show(sum, prefix: text)
    }
}
