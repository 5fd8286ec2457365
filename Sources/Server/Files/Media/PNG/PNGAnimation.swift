/// The state of an animation (PNG, third edition, 11.3.6).
struct PNGAnimation {
    let width: Int
    let height: Int
    private(set) var frames = FrameCounter()
    private let statedFrames: Int
    private var sequence = 0
    private var isInFrame = false

    /// - Parameter chunk: The content of `acTL`.
    init(_ chunk: ArraySlice<UInt8>, width: Int, height: Int) throws(MediaFault) {
        guard chunk.count == 8, chunk.big(0, 4) > 0 else { throw Self.invalid }
        self.width = width
        self.height = height
        statedFrames = chunk.big(0, 4)
    }

    private static let invalid = MediaFault.damaged("its animation is invalid")

    /// - Parameter chunk: The content of `fcTL`.
    mutating func addFrame(_ chunk: ArraySlice<UInt8>) throws(MediaFault) {
        let (width, height) = (chunk.big(4, 4), chunk.big(8, 4))
        guard chunk.count == 26, width > 0, height > 0, chunk.big(12, 4) + width <= self.width,
            chunk.big(16, 4) + height <= self.height
        else { throw Self.invalid }
        try advance(chunk)
        try frames.add(width: width, height: height)
        isInFrame = true
    }

    /// - Parameter number: The first four bytes of `fdAT`.
    mutating func addData(_ number: ArraySlice<UInt8>) throws(MediaFault) {
        guard isInFrame else { throw Self.invalid }
        try advance(number)
    }

    private mutating func advance(_ number: ArraySlice<UInt8>) throws(MediaFault) {
        guard number.big(0, 4) == sequence else { throw Self.invalid }
        sequence += 1
    }

    func finish() throws(MediaFault) {
        guard frames.count == statedFrames else { throw Self.invalid }
    }
}
