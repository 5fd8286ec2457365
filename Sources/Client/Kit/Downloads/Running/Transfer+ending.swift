import Crypto
import Foundation

/// How a transfer ends.
extension Transfer {
    /// Checks the whole and gives it its name.
    func finish() async throws -> DownloadResult {
        tell()
        let (hash, size) = (Hexadecimal.text(prefix.hash.finalize()), prefix.position)
        let expected = order.sha256 ?? known?.digest
        if let expected, expected != hash {
            isStream = true
            throw FeedClientError(
                .integrity, "The file is not the one that was promised: its sha-256 is \(hash)",
                hint: order.sha256 == nil ? "Try again." : "Check the checksum, or who offers the file.")
        }
        let (part, destination, replaces) = (part, destination, order.replaces)
        try await DiskThreads.run { try part.finish(as: destination, size: size, replaces: replaces) }
        let verification: DownloadResult.Verification =
            order.sha256 != nil ? .sha256FromCaller : known?.digest != nil ? .sha256FromServer : .sizeOnly
        return DownloadResult(
            path: destination, size: size, sha256: hash, verification: verification, resumedFrom: progress.base)
    }

    /// Leaves behind what the next try can use, and what is not ours.
    func leave() async {
        let (part, journal, isOurs) = (part, journal, isOurs)
        try? await DiskThreads.run {
            guard part.isNamed else { return }
            guard isOurs else { return part.discardIfUnused() }
            if let journal { try part.commit(journal) } else { part.discard() }
        }
    }

    /// A full disk is told in bytes.
    func explained(_ error: any Error) -> any Error {
        guard let error = error as? FeedClientError, let cause = error.cause as? POSIXError,
            cause.code == .ENOSPC || cause.code == .EDQUOT, let length
        else { return error }
        return FeedClientError(
            .disk, "\(error.message); \(length - ledger.written.count) bytes are missing",
            hint: "Free some space and run the same command again to go on.", cause: cause)
    }
}
