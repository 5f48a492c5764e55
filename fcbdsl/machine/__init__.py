"""The runtime: geometry of boards, the virtual machine, the verifier. It does not depend on sources."""
