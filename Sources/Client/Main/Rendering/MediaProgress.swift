import Foundation

/// Shows the progress of the files of a post, which are uploaded one after the other.
struct MediaProgress: Sendable {
    private let files: [(reporter: ProgressReporter, size: Int64?)]

    init(_ paths: [String], _ option: ProgressOption) {
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
