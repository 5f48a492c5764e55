"""What plays: geometry of boards, the virtual machine, the verifier. It knows nothing of sources."""
