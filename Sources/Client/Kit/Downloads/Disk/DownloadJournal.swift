/// What is known of an unfinished download: enough to go on, or to notice that it cannot. It stands beside the part file
/// and is replaced as a whole, after the bytes it speaks of are on the disk.
struct DownloadJournal: Sendable, Equatable {
    var order: DownloadOrder
    var file: Representation
    var chunkSize: Int64
    /// In order, without overlap.
    var pieces: [Piece]

    /// Whether no byte is missing.
    var isWhole: Bool { pieces.reduce(0) { $0 + Int64($1.span.count) } == file.total }

    /// Whether it can be true.
    var isSound: Bool {
        guard file.tag != nil, let total = file.total, (1...Representation.largest).contains(total),
            chunkSize >= ChunkRule.smallest, (total - 1) / chunkSize < ChunkRule.most
        else { return false }
        var end: Int64 = 0
        for piece in pieces {
            guard piece.digest.count == Piece.digestSize, piece.span.lowerBound >= end, !piece.span.isEmpty,
                piece.span.upperBound <= total,
                piece.span.lowerBound / chunkSize == (piece.span.upperBound - 1) / chunkSize
            else { return false }
            end = piece.span.upperBound
        }
        return true
    }
}
