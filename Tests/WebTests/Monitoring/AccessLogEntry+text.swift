@testable import FeedWeb

extension AccessLogEntry {
    /// The line as text.
    var text: String { line(as: .text) }
    /// The line as JSON.
    var json: String { line(as: .json) }

    private func line(as format: AccessLog.Format) -> String {
        var (line, times): ([UInt8], LogTimes) = ([], LogTimes())
        append(to: &line, as: format, times: &times)
        return String(decoding: line, as: UTF8.self)
    }
}

extension LogLine {
    /// The line in the format of its log, without the line break.
    var text: String {
        var (line, times): ([UInt8], LogTimes) = ([], LogTimes())
        append(to: &line, times: &times)
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
