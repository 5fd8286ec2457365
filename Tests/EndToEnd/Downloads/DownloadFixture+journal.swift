import Foundation

/// The files of an unfinished download.
extension DownloadFixture {
    /// The number of durable bytes according to the journal; 0 without a journal or with an empty one.
    var journaledBytes: Int {
        guard let bytes = FileManager.default.contents(atPath: journal),
            let page = try? JSONDecoder().decode(JournalPage.self, from: Data(bytes.prefix(while: { $0 != 10 })))
        else { return 0 }
        return page.state?.bytes ?? 0
    }

    /// The size of the part file.
    var partBytes: Int { status(part).map { Int($0.st_size) } ?? 0 }

    /// The modification time of the journal in milliseconds; 0 if there is none.
    var journalTime: Int {
        status(journal).map { $0.st_mtim.tv_sec * 1000 + $0.st_mtim.tv_nsec / 1_000_000 } ?? 0
    }

    private func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }
}

/// The first line of a journal (`DownloadStateFormat` in FeedClientKit).
private struct JournalPage: Decodable {
    /// `nil` until some bytes are durable.
    let state: State?

    struct State: Decodable {
        /// The size of a digest in bytes.
        private static let digestSize = 16

        let chunkSize: Int
        /// The concatenated digests of the complete chunks.
        let hashes: Data
        let parts: [Part]

        var bytes: Int { parts.reduce(hashes.count / Self.digestSize * chunkSize) { $0 + $1.end - $1.start } }
    }

    struct Part: Decodable {
        let start: Int
        let end: Int
    }
}
