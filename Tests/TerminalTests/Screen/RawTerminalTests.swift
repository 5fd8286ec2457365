import Foundation
import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct RawTerminalTests {
    /// A new thread has no other stack, so that an overflow of its own would end the program without the handler.
    @Test func aThreadGetsAStackForTheHandlerOfCrashesOnce() async {
        let stacks = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var stacks: [UInt] = []
                for _ in 0..<2 {
                    RawTerminal.prepareThread()
                    var stack = stack_t()
                    sigaltstack(nil, &stack)
                    let isUsable = stack.ss_flags & CInt(SS_DISABLE) == 0 && stack.ss_size >= 16 << 10
                    stacks.append(isUsable ? UInt(bitPattern: stack.ss_sp) : 0)
                }
                continuation.resume(returning: stacks)
            }
        }
        #expect(stacks[0] != 0 && stacks[0] == stacks[1])
    }
}
