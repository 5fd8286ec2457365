import Foundation

extension PartFile {
    /// Bytes of a file name that leave room for the longest name beside it.
    static let longestName = 255 - DurableFile.besides(journalPath(suffix)).utf8.count

    /// Opens the part file of a destination that may be written.
    /// - Parameters:
    ///   - source: What is to be downloaded.
    ///   - restarts: Whether what is there may be replaced; what an unfinished download of the same there was told counts
    ///     too.
    /// - Throws: ``FeedClientError`` when the place is taken, or is no place for a file.
    static func claim(
        _ destination: String, of source: String, restarts: Bool, calls: FileCalls = .system
    ) throws(FeedClientError) -> PartFile {
        let replaces = restarts || mayReplace(destination, source)
        try check(destination, replaces: replaces)
        let part = try PartFile(destination: destination, calls: calls)
        do throws(FeedClientError) {
            // Who had the lock before may have finished the file.
            try check(destination, replaces: replaces)
        } catch {
            part.discardIfUnused()
            throw error
        }
        return part
    }

    private static func mayReplace(_ destination: String, _ source: String) -> Bool {
        guard let order = (try? order(ofPart: destination + suffix)) ?? nil else { return false }
        return order.replaces && Representation.place(order.url) == Representation.place(source)
    }

    private static func check(_ destination: String, replaces: Bool) throws(FeedClientError) {
        guard URL(fileURLWithPath: destination).lastPathComponent.utf8.count <= longestName else {
            throw FeedClientError(
                .failed, "The file's name is too long", hint: "Choose one of at most \(longestName) bytes with -o.")
        }
        var status = stat()
        guard lstat(destination, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(
                .failed, "\(destination) is there, and is no regular file", hint: "Name another place with -o.")
        }
        guard replaces else { throw taken(destination) }
    }

    static func taken(_ destination: String) -> FeedClientError {
        FeedClientError(
            .failed, "\(destination) is there already", hint: "Name another with -o, or replace it with --restart.")
    }
}
