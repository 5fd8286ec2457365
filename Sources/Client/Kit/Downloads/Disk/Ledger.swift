/// Which bytes lie in the part file, and their hashes.
struct Ledger: Sendable {
    let chunkSize: Int64
    /// Bytes whose write has returned.
    private(set) var written = SpanSet()
    private var finished: [Int64: Piece] = [:]
    private var growing: [Int64: Stretch] = [:]

    /// - Parameter pieces: What an earlier download left.
    init(chunkSize: Int64, pieces: [Piece] = []) {
        self.chunkSize = chunkSize
        for piece in pieces { add(piece) }
    }

    /// All pieces, in order.
    var pieces: [Piece] {
        (finished.values + growing.values.filter { !$0.span.isEmpty }.map { Piece($0) })
            .sorted { $0.span.lowerBound < $1.span.lowerBound }
    }

    mutating func add(_ piece: Piece) {
        growing[piece.span.lowerBound] = nil
        finished[piece.span.lowerBound] = piece
        written.insert(piece.span)
    }

    /// As far as a stretch has come.
    mutating func update(_ stretch: Stretch) {
        guard !stretch.span.isEmpty else { return }
        growing[stretch.start] = stretch
        written.insert(stretch.span)
    }

    /// Bytes that are there, but of which nothing is noted.
    mutating func note(_ span: Range<Int64>) { written.insert(span) }

    /// The bytes of a piece are not what they should be.
    mutating func drop(_ piece: Piece) {
        finished[piece.span.lowerBound] = nil
        written.remove(piece.span)
    }

    /// What to write on with at `offset`: the stretch that ends there, or a new one.
    func stretch(at offset: Int64) -> Stretch {
        guard offset % chunkSize != 0 else { return Stretch(start: offset) }
        return growing.values.first { $0.end == offset } ?? Stretch(start: offset)
    }
}
